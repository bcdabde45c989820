package dev.deadline.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

class RequestBudgetsTests {

    private static final RequestBudget GENERAL = new RequestBudget(1000, 10);

    private static final RequestBudget WIDE = new RequestBudget(2000, 20);

    private static final RequestBudget NARROW = new RequestBudget(3000, 30);

    private static RequestBudgets budgets(List<String> excluded, BudgetRoute... routes) {
        return new RequestBudgets(
                GENERAL, List.of("/app/**"), excluded, DefaultExclusions.of("/", "/actuator"), List.of(routes));
    }

    private static MockHttpServletRequest get(String path) {
        return new MockHttpServletRequest("GET", path);
    }

    @Test
    void givesTheGeneralBudgetToIncludedPathsOnly() {
        RequestBudgets budgets = budgets(List.of());

        assertThat(budgets.of(get("/app/home"))).isEqualTo(GENERAL);
        assertThat(budgets.of(get("/other"))).isNull();
    }

    @Test
    void looksAtThePathWithinTheApplication() {
        MockHttpServletRequest request = get("/context/app/home");
        request.setContextPath("/context");

        assertThat(budgets(List.of()).of(request)).isEqualTo(GENERAL);
    }

    @Test
    void prefersTheMostSpecificRouteWhateverTheirOrder() {
        RequestBudgets budgets = budgets(
                List.of(),
                new BudgetRoute(List.of("/api/**"), Set.of(), WIDE),
                new BudgetRoute(List.of("/api/reports/{id}"), Set.of(), NARROW));

        assertThat(budgets.of(get("/api/reports/7"))).isEqualTo(NARROW);
        assertThat(budgets.of(get("/api/else"))).isEqualTo(WIDE);
    }

    @Test
    void tellsRoutesApartByMethod() {
        RequestBudgets budgets = budgets(
                List.of(),
                new BudgetRoute(List.of("/api/**"), Set.of(), WIDE),
                new BudgetRoute(List.of("/api/**"), Set.of("get"), NARROW));

        assertThat(budgets.of(get("/api/x"))).isEqualTo(NARROW);
        assertThat(budgets.of(new MockHttpServletRequest("HEAD", "/api/x"))).isEqualTo(NARROW);
        assertThat(budgets.of(new MockHttpServletRequest("POST", "/api/x"))).isEqualTo(WIDE);
    }

    @Test
    void excludesBeforeItIncludes() {
        RequestBudgets budgets =
                budgets(List.of("/app/assets/**", "/api/**"), new BudgetRoute(List.of("/api/x"), Set.of(), NARROW));

        assertThat(budgets.of(get("/app/assets/logo.png"))).isNull();
        assertThat(budgets.of(get("/api/x"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/actuator", "/actuator/health", "/css/a.css", "/js/a.js", "/webjars/x/y.js", "/favicon.ico"})
    void excludesByDefaultUnlessThereIsARoute(String path) {
        RequestBudgets everywhere = new RequestBudgets(
                GENERAL, List.of("/**"), List.of(), DefaultExclusions.of("/", "/actuator"), List.of());
        RequestBudgets routed = new RequestBudgets(
                GENERAL,
                List.of("/**"),
                List.of(),
                DefaultExclusions.of("/", "/actuator"),
                List.of(new BudgetRoute(List.of(path), Set.of(), NARROW)));

        assertThat(everywhere.of(get(path))).isNull();
        assertThat(routed.of(get(path))).isEqualTo(NARROW);
    }

    @Test
    void findsTheActuatorWhereItIs() {
        assertThat(DefaultExclusions.of("/mvc/", "manage")).contains("/mvc/manage/**", "/mvc/css/**");
        assertThat(DefaultExclusions.of("/", "/")).noneMatch(pattern -> pattern.equals("/**"));
    }

    @Test
    void excludesWebSocketUpgrades() {
        MockHttpServletRequest request = get("/app/socket");
        request.addHeader("Upgrade", "WebSocket");

        assertThat(budgets(List.of()).of(request)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/app/%zz", "/app/%", "*", "", "/app/%00", "/app//x", "/app;v=1/x", "/app/..", "/app/%2F"})
    void neverFails(String path) {
        RequestBudgets budgets = budgets(List.of("/app/assets/**"));

        RequestBudget found = budgets.of(get(path));

        assertThat(found == null || found.equals(GENERAL)).isTrue();
    }

    @Test
    void limitsPathsThatCannotBeDecodedLikeAllOthers() {
        assertThat(budgets(List.of("/app/**")).of(get("/app/%zz"))).isEqualTo(GENERAL);
    }

    @Test
    void knowsWhetherAnythingIsLimited() {
        RequestBudgets none = new RequestBudgets(RequestBudget.NONE, List.of("/**"), List.of(), List.of(), List.of());

        assertThat(none.isAnyBounded()).isFalse();
        assertThat(budgets(List.of()).isAnyBounded()).isTrue();
    }
}
