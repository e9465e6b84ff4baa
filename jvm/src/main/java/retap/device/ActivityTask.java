package retap.device;

import java.util.ArrayList;
import java.util.List;

/** A task: a stack of activities, the last in front. */
final class ActivityTask {
  final int id;
  final String affinity;
  final List<ActivityRecord> activities = new ArrayList<>();

  ActivityTask(int id, String affinity) {
    this.id = id;
    this.affinity = affinity;
  }

  ActivityRecord top() {
    return activities.isEmpty() ? null : activities.get(activities.size() - 1);
  }
}
