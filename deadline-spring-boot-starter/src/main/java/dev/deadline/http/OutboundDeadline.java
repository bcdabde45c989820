package dev.deadline.http;

import dev.deadline.propagation.DeadlineCodec;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How and to whom the time left is sent along with outbound calls. Immutable. */
public final class OutboundDeadline {

    private final @Nullable DeadlineCodec codec;

    private final Set<String> hosts;

    private final List<String> domains;

    private OutboundDeadline(@Nullable DeadlineCodec codec, List<String> hosts) {
        this.codec = codec;
        List<String> names =
                hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
        this.hosts = names.stream().filter(name -> !name.startsWith("*.")).collect(Collectors.toSet());
        this.domains = names.stream()
                .filter(name -> name.startsWith("*."))
                .map(name -> name.substring(1))
                .toList();
    }

    /**
     * Sends it.
     *
     * @param hosts exact names, and {@code *.example.org} for all hosts in a domain; empty for every host
     */
    public static OutboundDeadline sent(DeadlineCodec codec, List<String> hosts) {
        return new OutboundDeadline(codec, hosts);
    }

    /** Sends nothing. */
    public static OutboundDeadline notSent() {
        return new OutboundDeadline(null, List.of());
    }

    /** What writes the header of a call; null if it gets none. */
    @Nullable
    DeadlineCodec codecFor(URI uri) {
        return (this.codec != null && isIncluded(uri)) ? this.codec : null;
    }

    private boolean isIncluded(URI uri) {
        if (this.hosts.isEmpty() && this.domains.isEmpty()) {
            return true;
        }
        String host = uri.getHost();
        if (host == null) {
            return false;
        }
        String name = host.toLowerCase(Locale.ROOT);
        return this.hosts.contains(name) || this.domains.stream().anyMatch(name::endsWith);
    }
}
