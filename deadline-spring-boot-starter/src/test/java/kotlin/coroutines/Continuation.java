package kotlin.coroutines;

/** Stands for Kotlin's own, of which only the name matters here. */
public interface Continuation<T> {}
