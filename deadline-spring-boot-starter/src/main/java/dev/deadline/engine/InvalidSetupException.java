package dev.deadline.engine;

/** A setting or declaration with which the application cannot run; it stops the start-up, in two sentences. */
public class InvalidSetupException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final String problem;

    private final String remedy;

    /**
     * @param problem what is wrong, as a sentence
     * @param remedy what to do about it, as a sentence
     */
    public InvalidSetupException(String problem, String remedy) {
        super(problem + " " + remedy);
        this.problem = problem;
        this.remedy = remedy;
    }

    /** What is wrong. */
    public String problem() {
        return this.problem;
    }

    /** What to do about it. */
    public String remedy() {
        return this.remedy;
    }
}
