package dev.kvorum.node.command;

import dev.kvorum.topology.Topology;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an epoch, a whole number from 1 to {@link Topology#EPOCH_MAX}. */
final class EpochConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
        try {
            long epoch = Long.parseLong(value);
            if (epoch >= 1 && epoch <= Topology.EPOCH_MAX) {
                return epoch;
            }
        } catch (NumberFormatException e) {
            throw new TypeConversionException("\"" + value + "\" is no whole number");
        }
        throw new TypeConversionException(value + " is no epoch: one is from 1 to " + Topology.EPOCH_MAX);
    }
}
