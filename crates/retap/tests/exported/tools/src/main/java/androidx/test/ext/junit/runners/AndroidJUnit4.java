package androidx.test.ext.junit.runners;

import org.junit.runner.Description;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.Filterable;
import org.junit.runner.manipulation.NoTestsRemainException;
import org.junit.runner.manipulation.Sortable;
import org.junit.runner.manipulation.Sorter;
import org.junit.runner.notification.RunNotifier;
import org.junit.runners.BlockJUnit4ClassRunner;
import org.junit.runners.model.InitializationError;

/** androidx.test.ext:junit 1.3.0, by its public API listing. */
public final class AndroidJUnit4 extends Runner implements Filterable, Sortable {
  private final BlockJUnit4ClassRunner runner;

  public AndroidJUnit4(Class<?> test) throws InitializationError {
    runner = new BlockJUnit4ClassRunner(test);
  }

  @Override
  public void filter(Filter filter) throws NoTestsRemainException {
    runner.filter(filter);
  }

  @Override
  public Description getDescription() {
    return runner.getDescription();
  }

  @Override
  public void run(RunNotifier notifier) {
    runner.run(notifier);
  }

  @Override
  public void sort(Sorter sorter) {
    runner.sort(sorter);
  }
}
