package dev.deadline.gateway;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** What is kept in place of tokens: 128 bits of a hash (HMAC with SHA-256) that only who has the key can tell. Thread-safe. */
public final class TokenHash {

    private static final String ALGORITHM = "HmacSHA256";

    private static final int KEY_BYTES = 32;

    private final SecretKeySpec key;

    private TokenHash(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /** With a key that nobody knows and that is gone with this process. */
    public static TokenHash withRandomKey() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        return new TokenHash(key);
    }

    /** With the key that several instances share. */
    public static TokenHash withKey(String secret) {
        return new TokenHash(secret.getBytes(StandardCharsets.UTF_8));
    }

    /** The key of the client with this token. */
    ClientKey of(String token) {
        ByteBuffer hash = ByteBuffer.wrap(hmac(token.getBytes(StandardCharsets.UTF_8)));
        return new ClientKey(ClientKey.NO_RULE, hash.getLong(), hash.getLong());
    }

    private byte[] hmac(byte[] token) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(this.key);
            return mac.doFinal(token);
        } catch (GeneralSecurityException ex) {
            throw new IllegalStateException("This JVM lacks " + ALGORITHM + ", which every JVM has to have", ex);
        }
    }
}
