package dev.deadline.sample.home;

import dev.deadline.OnTimeout;
import dev.deadline.Step;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** Knows what others bought. It asks a database; the page does without. */
@Service
public class RecommendationService {

    private static final String BOUGHT_BY_OTHERS =
            "select item from purchase where buyer <> :user group by item order by count(*) desc, item limit 3";

    // Counts pairs of numbers for minutes, so that there is something to cancel.
    private static final String BOUGHT_BY_OTHERS_SLOWLY = BOUGHT_BY_OTHERS.replace(
            "where",
            "where (select count(*) from system_range(1, 1000000) a, system_range(1, 1000000) b"
                    + " where mod(a.x * b.x, 7) = 3) > 0 and");

    private final JdbcClient database;

    RecommendationService(JdbcClient database) {
        this.database = database;
    }

    @Step(name = "recommendations", onTimeout = OnTimeout.OPEN, timeout = "100ms")
    public List<String> recommendationsFor(String user, QuerySpeed speed) {
        return this.database
                .sql(speed.isSlow() ? BOUGHT_BY_OTHERS_SLOWLY : BOUGHT_BY_OTHERS)
                .param("user", user)
                .query(String.class)
                .list();
    }
}
