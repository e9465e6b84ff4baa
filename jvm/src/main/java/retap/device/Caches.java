package retap.device;

import java.util.Map;

/**
 * Classes and methods of the app that Android remembers in statics. After a reset there are others
 * of the same name.
 */
final class Caches {
  private static final String[][] MAPS = {
    {"android.app.Fragment", "sClassMap"},
    {"android.view.LayoutInflater", "sConstructorMap"},
    {"android.preference.GenericInflater", "sConstructorMap"},
    {"android.animation.PropertyValuesHolder", "sSetterPropertyMap"},
    {"android.animation.PropertyValuesHolder", "sGetterPropertyMap"},
    {"android.animation.PropertyValuesHolder$IntPropertyValuesHolder", "sJNISetterPropertyMap"},
    {"android.animation.PropertyValuesHolder$FloatPropertyValuesHolder", "sJNISetterPropertyMap"},
    {"android.os.Parcel", "mCreators"},
    {"android.transition.TransitionInflater", "sConstructors"},
  };

  private Caches() {}

  static void clear() {
    for (String[] at : MAPS) {
      try {
        Map<?, ?> map = Hidden.get(Class.forName(at[0]), at[1]);
        if (map != null) {
          map.clear();
        }
      } catch (ClassNotFoundException absent) {
        throw new IllegalStateException(absent);
      }
    }
  }
}
