package dev.deadline.servlet;

import dev.deadline.DeadlineListener;
import dev.deadline.engine.Budget;
import dev.deadline.propagation.DeadlineCodec;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads how long a caller is still going to wait, from those callers whose word counts. */
public final class CallerDeadlines {

    private final List<DeadlineCodec> codecs;

    private final PeerAddress peers;

    private final TrustedPeers trusted;

    private final DeadlineListener listener;

    /**
     * @param codecs one for each header that is read; none if none is
     * @param listener told of each value that cannot be read
     */
    public CallerDeadlines(
            List<DeadlineCodec> codecs, PeerAddress peers, TrustedPeers trusted, DeadlineListener listener) {
        this.codecs = List.copyOf(codecs);
        this.peers = peers;
        this.trusted = trusted;
        this.listener = listener;
    }

    /**
     * The time the caller has left: the shortest of all that it says and that can be read. Zero or less if it has
     * given up already; {@link Budget#UNBOUNDED} if it says nothing, or is not trusted.
     */
    long remainingNanos(HttpServletRequest request) {
        long shortest = Budget.UNBOUNDED;
        for (DeadlineCodec codec : this.codecs) {
            String header = codec.headerName();
            if (request.getHeader(header) == null) {
                continue;
            }
            if (!this.trusted.contains(this.peers.of(request))) {
                return Budget.UNBOUNDED;
            }
            for (String value : Collections.list(request.getHeaders(header))) {
                Long remaining = decode(codec, value);
                if (remaining == null) {
                    this.listener.inboundIgnored(header);
                } else {
                    shortest = Math.min(shortest, remaining);
                }
            }
        }
        return shortest;
    }

    private static @Nullable Long decode(DeadlineCodec codec, String value) {
        try {
            return codec.decode(value);
        } catch (RuntimeException ex) {
            // A codec of the application that stumbles over what a stranger sent must not cost the request.
            return null;
        }
    }
}
