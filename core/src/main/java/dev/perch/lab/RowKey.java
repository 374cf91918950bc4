package dev.perch.lab;

/**
 * Names a row of an experiment by the labels of its machine, kernel and workload; an empty label stands for any.
 *
 * @param machine label of the machine, or empty
 * @param kernel label of the kernel, or empty
 * @param workload label of the workload, or empty
 */
public record RowKey(String machine, String kernel, String workload) {
    /** Whether this key, which may leave labels open, names the row with these labels. */
    public boolean matches(RowKey row) {
        return (machine.isEmpty() || machine.equals(row.machine))
                && (kernel.isEmpty() || kernel.equals(row.kernel))
                && (workload.isEmpty() || workload.equals(row.workload));
    }

    /** The labels that are not open, such as {@code e5620 virgin}. */
    @Override
    public String toString() {
        return String.join(" ", machine, kernel, workload).strip().replaceAll(" +", " ");
    }
}
