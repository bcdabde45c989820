package dev.deadline.compat.servlet;

import dev.deadline.DeadlineListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what it hears. */
class RecordingListener implements DeadlineListener {

    final List<RequestEvent> requests = new CopyOnWriteArrayList<>();

    final List<StepEvent> steps = new CopyOnWriteArrayList<>();

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
}
