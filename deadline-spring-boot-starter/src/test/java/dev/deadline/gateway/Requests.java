package dev.deadline.gateway;

import org.springframework.mock.web.MockHttpServletRequest;

/** Requests as a container hands them over. */
final class Requests {

    private Requests() {}

    static MockHttpServletRequest from(String address, String path) {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", path);
        request.setRemoteAddr(address);
        return request;
    }

    static MockHttpServletRequest preflight(String address, String path) {
        MockHttpServletRequest request = from(address, path);
        request.setMethod("OPTIONS");
        request.addHeader("Origin", "https://other.example");
        request.addHeader("Access-Control-Request-Method", "GET");
        return request;
    }
}
