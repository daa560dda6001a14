package dev.kvorum.node.replica;

import dev.kvorum.topology.Member;
import java.net.URI;
import java.util.Collection;

/** The ways to the other members. Any thread. */
public interface Peers {
    /** Calls any member. A call is answered or fails within the time that the settings give it. */
    PeerClient client();

    /** Sets the peers. Connections to others are closed when calls on their way must have been answered. */
    void become(Collection<Member> members);

    /** A member says that it is there: it is connected to soon, where a failure is being waited after. */
    void hurry(URI member);
}
