package dev.deadline.servlet;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Hears of nothing more once the processing is complete. Tomcat reports an error after that if the last dispatch was
 * answered by the error page, and Spring then takes a request that it was not told the result of for unfinished.
 */
final class AsyncListenerUntilComplete implements AsyncListener {

    private final AsyncListener listener;

    private final AtomicBoolean completed;

    AsyncListenerUntilComplete(AsyncListener listener, AtomicBoolean completed) {
        this.listener = listener;
        this.completed = completed;
    }

    @Override
    public void onComplete(AsyncEvent event) throws IOException {
        this.listener.onComplete(event);
    }

    @Override
    public void onTimeout(AsyncEvent event) throws IOException {
        if (!this.completed.get()) {
            this.listener.onTimeout(event);
        }
    }

    @Override
    public void onError(AsyncEvent event) throws IOException {
        if (!this.completed.get()) {
            this.listener.onError(event);
        }
    }

    @Override
    public void onStartAsync(AsyncEvent event) throws IOException {
        this.listener.onStartAsync(event);
    }
}
