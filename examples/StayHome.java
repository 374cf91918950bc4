import dev.perch.kernel.placement.CpuView;
import dev.perch.kernel.placement.IdleSearch;
import dev.perch.kernel.placement.Policy;
import dev.perch.kernel.placement.WakeRequest;

/** A task stays where it last ran; only if that CPU is busy may the kernel look for another. */
public final class StayHome implements Policy {
    @Override
    public int selectIdleSibling(WakeRequest request, int target, CpuView view, IdleSearch base) {
        return view.idle(request.prevCpu) ? request.prevCpu : base.search(request, target, view);
    }
}
