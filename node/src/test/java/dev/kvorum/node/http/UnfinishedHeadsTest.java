package dev.kvorum.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnfinishedHeadsTest {
    private final List<ChannelHandlerContext> ended = new ArrayList<>();
    private final UnfinishedHeads heads = new UnfinishedHeads(2, ended::add);
    private final ChannelHandlerContext first = connection();
    private final ChannelHandlerContext second = connection();
    private final ChannelHandlerContext third = connection();

    private static ChannelHandlerContext connection() {
        return new EmbeddedChannel(new ChannelInboundHandlerAdapter())
                .pipeline()
                .firstContext();
    }

    @Test
    void oneTooManyTakesThePlaceOfTheOldest() {
        heads.add(first);
        heads.add(second);
        assertThat(ended).isEmpty();

        heads.add(third);

        assertThat(ended).containsExactly(first);
    }

    @Test
    void oneThatIsWholeGivesItsPlaceBack() {
        heads.add(first);
        heads.add(second);
        heads.remove(first);

        heads.add(third);

        assertThat(ended).isEmpty();
    }

    @Test
    void oneThatHasLostItsPlaceIsNotEndedTwice() {
        heads.add(first);
        heads.add(second);
        heads.add(third);
        heads.remove(first);
        heads.add(connection());

        assertThat(ended).containsExactly(first, second);
    }
}
