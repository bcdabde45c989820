package dev.deadline.engine;

/** The seam for timers: rings alarms when their moment comes. */
interface Watchdog extends AutoCloseable {

    /** Arms an alarm that has not been armed before. */
    void arm(Alarm alarm);

    /** Takes an armed alarm back; without effect if it rang or was never armed. Nothing of it is kept. */
    void disarm(Alarm alarm);

    /** Stops the timer; what is still armed never rings. */
    @Override
    void close();
}
