package dev.deadline.gateway;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.threads.TaskQueue;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;

/** Tomcat's pool of platform threads, which stamps what is put into its queue. */
final class StampingPool extends ThreadPoolExecutor implements ArrivalQueue {

    StampingPool(int minSpareThreads, int maxThreads, long keepAliveMillis, TaskQueue queue, ThreadFactory threads) {
        super(minSpareThreads, maxThreads, keepAliveMillis, TimeUnit.MILLISECONDS, queue, threads);
    }

    @Override
    public void execute(Runnable work) {
        super.execute(StampedWork.arrivingNow(work));
    }

    @Override
    public int size() {
        return getQueue().size();
    }
}
