package dev.deadline.sample.session;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** Session tokens, {@code <user>.<signature>} in Base64, which can be checked without asking anybody. */
@Component
public class SessionTokens {

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    SessionTokens(@Value("${sample.session.secret}") String secret) {
        this.key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
    }

    /** A token for the user. */
    public String issue(String user) {
        byte[] name = user.getBytes(StandardCharsets.UTF_8);
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        return encoder.encodeToString(name) + "." + encoder.encodeToString(sign(name));
    }

    /** The user whom the token was issued to; empty if it was not issued here. */
    public Optional<String> userOf(String token) {
        int dot = token.indexOf('.');
        if (dot < 0) {
            return Optional.empty();
        }
        try {
            byte[] name = Base64.getUrlDecoder().decode(token.substring(0, dot));
            byte[] signature = Base64.getUrlDecoder().decode(token.substring(dot + 1));
            return MessageDigest.isEqual(signature, sign(name))
                    ? Optional.of(new String(name, StandardCharsets.UTF_8))
                    : Optional.empty();
        } catch (IllegalArgumentException ex) {
            return Optional.empty();
        }
    }

    private byte[] sign(byte[] content) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(this.key);
            return mac.doFinal(content);
        } catch (GeneralSecurityException ex) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, ex);
        }
    }
}
