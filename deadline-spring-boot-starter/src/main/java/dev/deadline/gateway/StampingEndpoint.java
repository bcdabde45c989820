package dev.deadline.gateway;

import java.util.concurrent.Executor;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.threads.TaskQueue;
import org.apache.tomcat.util.threads.TaskThreadFactory;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import org.jspecify.annotations.Nullable;

/** Has executors that stamp, with the settings that Tomcat would give its own. One that the application sets is left alone. */
final class StampingEndpoint extends NioEndpoint {

    @Override
    public void createExecutor() {
        // First, as the settings that are asked for do not count for executors of others.
        this.internalExecutor = true;
        super.setExecutor(getUseVirtualThreads() ? virtualThreads() : pool());
        // Again, so that Tomcat reports this one and shuts it down.
        this.internalExecutor = true;
    }

    private Executor virtualThreads() {
        return new StampingVirtualThreads(new VirtualThreadExecutor(getName() + "-virt-"));
    }

    private Executor pool() {
        TaskQueue queue = new TaskQueue(getMaxQueueSize());
        StampingPool pool = new StampingPool(
                getMinSpareThreads(),
                getMaxThreads(),
                getThreadsMaxIdleTime(),
                queue,
                new TaskThreadFactory(getName() + "-exec-", getDaemon(), getThreadPriority()));
        queue.setParent(pool);
        return pool;
    }

    /** Spring Boot sets the executor of virtual threads that Tomcat has. */
    @Override
    public void setExecutor(@Nullable Executor executor) {
        super.setExecutor(
                (executor instanceof VirtualThreadExecutor threads && !(executor instanceof ArrivalQueue))
                        ? new StampingVirtualThreads(threads)
                        : executor);
    }

    @Override
    public void startInternal() throws Exception {
        Executor executor = getExecutor();
        if (executor != null && !(executor instanceof ArrivalQueue)) {
            TomcatQueue.logUnknown("an executor", executor);
        }
        super.startInternal();
    }
}
