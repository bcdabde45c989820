package dev.deadline.engine;

/** The global mode, which may be changed while the application runs. A request or step reads it once, at its start. */
public final class ModeSwitch {

    // Volatile so that a change reaches the requests that start after it on other threads.
    private volatile Mode mode;

    public ModeSwitch(Mode mode) {
        this.mode = mode;
    }

    public Mode mode() {
        return this.mode;
    }

    public void set(Mode mode) {
        this.mode = mode;
    }
}
