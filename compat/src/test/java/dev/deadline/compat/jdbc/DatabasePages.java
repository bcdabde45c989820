package dev.deadline.compat.jdbc;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** One page for each way to use a database. */
@RestController
class DatabasePages {

    private final Shop shop;

    DatabasePages(Shop shop) {
        this.shop = shop;
    }

    @GetMapping("/template")
    Object template() {
        return this.shop.byTemplate();
    }

    @GetMapping("/client")
    Object client() {
        return this.shop.byClient();
    }

    @GetMapping("/jpa")
    Object jpa() {
        return this.shop.byJpa();
    }

    @GetMapping("/two-updates-by-jdbc")
    String twoUpdatesByJdbc() {
        this.shop.twoUpdatesByJdbc();
        return "both";
    }

    @GetMapping("/two-updates-by-jpa")
    String twoUpdatesByJpa() {
        this.shop.twoUpdatesByJpa();
        return "both";
    }

    @GetMapping("/late-commit")
    String lateCommit() {
        this.shop.commitTooLate();
        return "committed";
    }

    @GetMapping("/stubborn")
    Object stubborn() {
        return this.shop.stubborn().isPresent() ? "answered" : "fallback";
    }
}
