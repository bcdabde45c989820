package dev.deadline.compat.servlet;

import dev.deadline.DeadlineListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** Keeps what it hears. */
class RecordingListener implements DeadlineListener {

    final List<RequestEvent> requests = new CopyOnWriteArrayList<>();

    final List<StepEvent> steps = new CopyOnWriteArrayList<>();

    /** Of what goes on for much too long: the methods of each stack. */
    final List<List<String>> stacks = new CopyOnWriteArrayList<>();

    final List<String> ignored = new CopyOnWriteArrayList<>();

    @Override
    public void requestFinished(RequestEvent event) {
        this.requests.add(event);
    }

    @Override
    public void stepFinished(StepEvent event) {
        this.steps.add(event);
    }

    @Override
    public void inboundIgnored(String header) {
        this.ignored.add(header);
    }

    @Override
    public void overrunning(String step, long overrunNanos, StackTraceElement[] stack) {
        this.stacks.add(Stream.of(stack).map(StackTraceElement::getMethodName).toList());
    }
}
