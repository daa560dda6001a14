package dev.kvorum.node.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.AsciiString;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * The rules of RFC 9110 and RFC 9112 for the head of a request. The HTTP decoder checks line ends, tokens, field lines and {@code
 * Content-Length} first; {@code docs/api.md} lists the deviations. Allocates one iterator for a valid request. Any thread.
 */
final class RequestRules {
    static final Refusal MALFORMED = Refusal.closing(
            HttpStatus.BAD_REQUEST,
            "malformed-request",
            "the request is not valid HTTP/1.1: send a request line, header lines and a body as RFC 9112 describes them");
    private static final Refusal LONG_LINE = Refusal.closing(
            HttpStatus.URI_TOO_LONG, "target-too-long", "the request line is longer than this server accepts");
    private static final Refusal LONG_HEAD = Refusal.closing(
            HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
            "headers-too-large",
            "the header lines are together longer than this server accepts");
    private static final Refusal VERSION = Refusal.closing(
            HttpStatus.HTTP_VERSION_NOT_SUPPORTED,
            "unsupported-version",
            "this server speaks HTTP/1.1 and HTTP/1.0: send one of them as the version of the request");
    private static final Refusal NO_HOST = Refusal.closing(
            HttpStatus.BAD_REQUEST,
            "invalid-host",
            "an HTTP/1.1 request has exactly one Host header, and this one has none");
    private static final Refusal HOSTS = Refusal.closing(
            HttpStatus.BAD_REQUEST,
            "invalid-host",
            "an HTTP/1.1 request has exactly one Host header, and this one has several");
    private static final Refusal HOST = Refusal.closing(
            HttpStatus.BAD_REQUEST,
            "invalid-host",
            "the Host header is not a host name or address with an optional port");
    private static final Refusal CODING = Refusal.closing(
            HttpStatus.NOT_IMPLEMENTED,
            "unsupported-transfer-coding",
            "this server supports the transfer coding \"chunked\" only, applied once");
    private static final Refusal EXPECTATION = Refusal.closing(
            HttpStatus.EXPECTATION_FAILED,
            "unsupported-expectation",
            "this server supports the expectation \"100-continue\" only");
    private static final Refusal TUNNEL = Refusal.closing(
            HttpStatus.NOT_IMPLEMENTED, "unsupported-method", "this server opens no tunnels: CONNECT is not supported");
    private static final Refusal MISDIRECTED = Refusal.closing(
            HttpStatus.MISDIRECTED_REQUEST,
            "misdirected-target",
            "this server serves targets of the scheme \"http\" only");
    private static final Refusal TARGET = Refusal.keeping(
            HttpStatus.BAD_REQUEST,
            "malformed-target",
            "the request target is not a URI: percent-encode what is not plain, as two hexadecimal digits per byte of UTF-8");
    private static final Refusal TARGET_FORM = Refusal.keeping(
            HttpStatus.BAD_REQUEST,
            "malformed-target",
            "the request target is neither a path that begins with \"/\" nor a URI with a host: \"*\" is for OPTIONS alone");

    private static final String SCHEME = "http://";
    private static final String ANY_SCHEME = "://";

    private RequestRules() {}

    /** The refusal of a request that breaks a rule, or null. */
    static @Nullable Refusal check(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return ofFailure(request.decoderResult().cause());
        }
        HttpVersion version = request.protocolVersion();
        if (version.majorVersion() != 1) {
            return VERSION;
        }
        Refusal ofFields = fields(request, version.minorVersion() == 0);
        return ofFields == null ? target(request.method(), request.uri()) : ofFields;
    }

    /** The refusal for what the decoder could not read. */
    static Refusal ofFailure(@Nullable Throwable cause) {
        return switch (cause) {
            case RefusedHeadException refused -> refused.refusal();
            case TooLongHttpLineException line -> LONG_LINE;
            case TooLongHttpHeaderException head -> LONG_HEAD;
            case null, default -> MALFORMED;
        };
    }

    /** Makes a valid request one that all behind this can read: RFC 9112, section 2.3, and RFC 9110, section 4.2.3. */
    static void normalize(HttpRequest request) {
        if (request.protocolVersion().minorVersion() > 1) {
            request.setProtocolVersion(HttpVersion.HTTP_1_1);
        }
        String host = request.headers().get(HttpHeaderNames.HOST);
        if (host != null && host.endsWith(":")) {
            request.headers().set(HttpHeaderNames.HOST, host.substring(0, host.length() - 1));
        }
    }

    private static @Nullable Refusal fields(HttpRequest request, boolean isHttp10) {
        int hosts = 0;
        Iterator<Map.Entry<CharSequence, CharSequence>> fields =
                request.headers().iteratorCharSequence();
        while (fields.hasNext()) {
            Map.Entry<CharSequence, CharSequence> field = fields.next();
            CharSequence name = field.getKey();
            Refusal refusal = null;
            if (is(name, HttpHeaderNames.HOST)) {
                hosts++;
                refusal = HostHeader.isValid(field.getValue()) ? null : HOST;
            } else if (is(name, HttpHeaderNames.TRANSFER_ENCODING)) {
                refusal = is(field.getValue(), HttpHeaderValues.CHUNKED) ? null : CODING;
            } else if (!isHttp10 && is(name, HttpHeaderNames.EXPECT)) { // RFC 9110, 10.1.1: HTTP/1.0 has none.
                refusal = is(field.getValue(), HttpHeaderValues.CONTINUE) ? null : EXPECTATION;
            }
            if (refusal != null) {
                return refusal;
            }
        }
        if (hosts > 1) {
            return HOSTS;
        }
        return hosts == 0 && !isHttp10 ? NO_HOST : null;
    }

    private static boolean is(CharSequence text, AsciiString expected) {
        return text.length() == expected.length() && expected.contentEqualsIgnoreCase(text);
    }

    /** RFC 9112, section 3.2. */
    private static @Nullable Refusal target(HttpMethod method, String target) {
        if (method.equals(HttpMethod.CONNECT)) {
            return TUNNEL;
        }
        if (target.startsWith("/")) {
            return RequestTarget.isWellFormed(target) ? null : TARGET;
        }
        if (target.equals("*")) {
            return method.equals(HttpMethod.OPTIONS) ? null : TARGET_FORM;
        }
        return absolute(target);
    }

    private static @Nullable Refusal absolute(String target) {
        if (!target.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            boolean hasScheme = target.contains(ANY_SCHEME) && Character.isLetter(target.charAt(0));
            return hasScheme && RequestTarget.isWellFormed(target) ? MISDIRECTED : TARGET_FORM;
        }
        int end = SCHEME.length();
        while (end < target.length() && "/?".indexOf(target.charAt(end)) < 0) {
            end++;
        }
        boolean hasHost = end > SCHEME.length() && target.charAt(SCHEME.length()) != ':';
        if (!hasHost || !HostHeader.isValid(target.substring(SCHEME.length(), end))) {
            return TARGET_FORM;
        }
        return RequestTarget.isWellFormed(target.substring(end)) ? null : TARGET;
    }
}
