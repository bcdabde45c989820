package dev.deadline.compat.servlet;

import java.util.concurrent.Callable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Pages whose answers take longer than the budget, or would. */
@RestController
class StreamPages {

    // More than any socket buffers.
    private static final byte[] LARGE = new byte[32_000_000];

    /** Returns it, so that it is written in the asynchronous dispatch. */
    @GetMapping("/stream/large")
    Callable<byte[]> large() {
        return () -> LARGE;
    }
}
