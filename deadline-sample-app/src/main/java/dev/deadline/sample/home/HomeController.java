package dev.deadline.sample.home;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.deadline.sample.home.CatalogService.Item;
import dev.deadline.sample.home.GeoService.Location;
import dev.deadline.sample.session.SessionGate;
import dev.deadline.sample.session.UnauthorizedException;
import dev.deadline.sample.upstream.Behaviour;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The page. The parameters of the request say how each upstream is to behave. */
@RestController
class HomeController {

    private final SessionGate gate;

    private final FlagService flagService;

    private final GeoService geoService;

    private final CatalogService catalogService;

    private final RecommendationService recommendationService;

    private final ObjectMapper json;

    HomeController(
            SessionGate gate,
            FlagService flagService,
            GeoService geoService,
            CatalogService catalogService,
            RecommendationService recommendationService,
            ObjectMapper json) {
        this.gate = gate;
        this.flagService = flagService;
        this.geoService = geoService;
        this.catalogService = catalogService;
        this.recommendationService = recommendationService;
        this.json = json;
    }

    @GetMapping("/app/home")
    ResponseEntity<HomePage> home(
            @RequestHeader(name = HttpHeaders.AUTHORIZATION, required = false) String authorization,
            @RequestParam(defaultValue = "ok") Behaviour revocation,
            @RequestParam(defaultValue = "ok") Behaviour flags,
            @RequestParam(defaultValue = "ok") Behaviour geo,
            @RequestParam(defaultValue = "ok") Behaviour catalog,
            @RequestParam(defaultValue = "ok") QuerySpeed recommendations)
            throws JsonProcessingException {
        String user = this.gate.enter(authorization, revocation);
        Map<String, Boolean> features = this.flagService.flagsOf(user, flags);
        Optional<Location> location = this.geoService.locationOf(user, geo);
        List<String> others = this.recommendationService.recommendationsFor(user, recommendations);
        List<Item> items = this.catalogService.items(catalog);
        return ResponseEntity.ok()
                .header("X-Flags", this.json.writeValueAsString(features))
                .body(new HomePage(user, features, location, items, others));
    }

    @GetMapping("/app/health")
    Map<String, String> health() {
        return Map.of("status", "UP");
    }

    @ExceptionHandler(UnauthorizedException.class)
    ResponseEntity<Void> unauthorized() {
        return ResponseEntity.status(HttpStatus.UNAUTHORIZED)
                .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
                .cacheControl(CacheControl.noStore())
                .build();
    }
}
