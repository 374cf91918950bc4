package dev.perch.kernel.placement;

/**
 * A sync wakeup stays with a waker that is alone on its CPU; everything else is the kernel's.
 *
 * <p>A public proposal that was never merged in this form (patch {@code wake-on-current}). Source: placement.md 4.1b.
 */
final class WakeOnCurrent implements Caller {
    private final Caller kernel;

    WakeOnCurrent(Caller kernel) {
        this.kernel = kernel;
    }

    @Override
    public int select(WakeRequest request, CpuView view) {
        int thisCpu = request.thisCpu;
        if (request.kind == WakeKind.WAKE && request.sync && request.allowed.contains(thisCpu)) {
            view.probe(thisCpu);
            boolean alone = view.nrRunning[thisCpu] == 1;
            view.report(PlacementStep.SYNC_STAYS, thisCpu, alone);
            if (alone) {
                return thisCpu;
            }
        }
        return kernel.select(request, view);
    }
}
