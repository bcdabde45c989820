package dev.deadline.autoconfigure;

import dev.deadline.http.BlockingClients;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/** Reaches the clients and builders that the application declares itself, and factories that are set late. */
final class BlockingClientPostProcessor implements BeanPostProcessor {

    private final ObjectProvider<BlockingClients> clients;

    BlockingClientPostProcessor(ObjectProvider<BlockingClients> clients) {
        this.clients = clients;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof RestClient.Builder builder) {
            return this.clients.getObject().bound(builder);
        }
        if (bean instanceof RestClient client) {
            return this.clients.getObject().bound(client);
        }
        if (bean instanceof RestTemplate template) {
            this.clients.getObject().bind(template);
        }
        return bean;
    }
}
