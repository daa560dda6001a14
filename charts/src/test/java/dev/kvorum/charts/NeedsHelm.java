package dev.kvorum.charts;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests that render charts: Helm's library is native code, which this module has for one platform. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = "amd64",
        disabledReason =
                "Helm comes as a library for Linux on x86_64; elsewhere e2e/kubernetes/check renders the charts")
@interface NeedsHelm {}
