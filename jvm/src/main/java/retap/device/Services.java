package retap.device;

import android.app.ActivityManager;
import android.app.ActivityThread;
import android.app.ContentProviderHolder;
import android.app.IApplicationThread;
import android.app.IServiceConnection;
import android.app.Notification;
import android.app.ServiceStartArgs;
import android.content.ComponentName;
import android.content.IIntentReceiver;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.ActivityInfo;
import android.content.pm.PackageManager;
import android.content.pm.PackageParser;
import android.content.pm.ParceledListSlice;
import android.content.pm.ServiceInfo;
import android.content.res.CompatibilityInfo;
import android.content.res.Configuration;
import android.os.Binder;
import android.os.Build;
import android.os.Bundle;
import android.os.Debug;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import android.os.Process;
import android.os.RemoteException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Services, broadcasts, content providers and permissions: what {@code IActivityManager} answers.
 */
final class Services {
  /** How long a service may take that was started to come to the foreground. */
  private static final long FOREGROUND_WITHIN_MS = 10_000;

  private static final String FOREGROUND = "android.permission.FOREGROUND_SERVICE";

  private final Packages packages;
  private final Permissions permissions;
  private final Map<String, ServiceRecord> services = new LinkedHashMap<>();
  private final List<Registered> receivers = new ArrayList<>();
  private final Map<String, Intent> sticky = new LinkedHashMap<>();
  private IApplicationThread process;

  private static final class ServiceRecord {
    final IBinder token = new Binder();
    final ServiceInfo info;
    final Map<IBinder, IServiceConnection> connections = new LinkedHashMap<>();
    IBinder published;
    boolean bound;
    boolean started;
    boolean inForeground;
    int lastStart;

    /** Ends a service that was started to come to the foreground; null where it owes nothing. */
    Runnable overdue;

    ServiceRecord(ServiceInfo info) {
      this.info = info;
    }

    ComponentName component() {
      return new ComponentName(info.packageName, info.name);
    }

    @Override
    public String toString() {
      String hash = Integer.toHexString(info.name.hashCode());
      return "ServiceRecord{" + hash + " u0 " + component().flattenToShortString() + "}";
    }
  }

  private record Registered(IIntentReceiver receiver, IntentFilter filter) {}

  Services(Packages packages, Permissions permissions) {
    this.packages = packages;
    this.permissions = permissions;
    sticky.put(Intent.ACTION_BATTERY_CHANGED, Hardware.battery());
  }

  void attach(ActivityThread thread) {
    process = thread.getApplicationThread();
  }

  // Services.

  synchronized ComponentName startService(
      IApplicationThread caller,
      Intent intent,
      String resolvedType,
      boolean requireForeground,
      String callingPackage,
      int userId)
      throws RemoteException {
    ServiceRecord record = created(intent);
    if (record == null) {
      return null;
    }
    record.started = true;
    record.lastStart++;
    if (requireForeground && !record.inForeground && record.overdue == null) {
      record.overdue = () -> end(record);
      main().postDelayed(record.overdue, FOREGROUND_WITHIN_MS);
    }
    List<ServiceStartArgs> arguments =
        List.of(new ServiceStartArgs(false, record.lastStart, 0, new Intent(intent)));
    process.scheduleServiceArgs(record.token, new ParceledListSlice<>(new ArrayList<>(arguments)));
    return record.component();
  }

  synchronized int stopService(
      IApplicationThread caller, Intent intent, String resolvedType, int userId)
      throws RemoteException {
    ServiceRecord record = running(intent);
    if (record == null) {
      return 0;
    }
    record.started = false;
    stopIfUnused(record);
    return 1;
  }

  synchronized boolean stopServiceToken(ComponentName name, IBinder token, int startId)
      throws RemoteException {
    ServiceRecord record = services.get(name.getClassName());
    if (record == null || startId >= 0 && startId != record.lastStart) {
      return false;
    }
    record.started = false;
    stopIfUnused(record);
    return true;
  }

  synchronized void setServiceForeground(
      ComponentName name, IBinder token, int id, Notification notification, int flags, int type) {
    ServiceRecord record = services.get(name.getClassName());
    if (record == null || record.token != token) {
      return;
    }
    if (id != 0) {
      if (notification == null) {
        throw new IllegalArgumentException("null notification");
      }
      boolean mustAsk = record.info.applicationInfo.targetSdkVersion >= Build.VERSION_CODES.P;
      if (mustAsk && permissions.check(FOREGROUND) != PackageManager.PERMISSION_GRANTED) {
        throw new SecurityException(
            "Permission Denial: startForeground from pid="
                + Process.myPid()
                + ", uid="
                + Process.myUid()
                + " requires "
                + FOREGROUND);
      }
      settle(record);
    }
    record.inForeground = id != 0;
  }

  /** It has taken too long to come to the foreground. */
  private synchronized void end(ServiceRecord record) {
    try {
      record.started = false;
      stopIfUnused(record);
    } catch (RemoteException never) {
      throw new IllegalStateException(never);
    }
  }

  /** Whether it has owed to come to the foreground; now it does not. */
  private boolean settle(ServiceRecord record) {
    if (record.overdue == null) {
      return false;
    }
    main().removeCallbacks(record.overdue);
    record.overdue = null;
    return true;
  }

  private static Handler main() {
    return new Handler(Looper.getMainLooper());
  }

  synchronized int bindService(
      IApplicationThread caller,
      IBinder token,
      Intent intent,
      String resolvedType,
      IServiceConnection connection,
      int flags,
      String callingPackage,
      int userId)
      throws RemoteException {
    boolean create = (flags & android.content.Context.BIND_AUTO_CREATE) != 0;
    ServiceRecord record = create ? created(intent) : running(intent);
    if (record == null) {
      return packages.service(intent) == null ? 0 : 1;
    }
    record.connections.put(connection.asBinder(), connection);
    if (record.published != null) {
      connection.connected(record.component(), record.published, false);
    } else if (!record.bound) {
      record.bound = true;
      process.scheduleBindService(record.token, new Intent(intent), false, 0);
    }
    return 1;
  }

  synchronized int bindIsolatedService(
      IApplicationThread caller,
      IBinder token,
      Intent intent,
      String resolvedType,
      IServiceConnection connection,
      int flags,
      String instanceName,
      String callingPackage,
      int userId)
      throws RemoteException {
    return bindService(
        caller, token, intent, resolvedType, connection, flags, callingPackage, userId);
  }

  synchronized void publishService(IBinder token, Intent intent, IBinder service)
      throws RemoteException {
    for (ServiceRecord record : services.values()) {
      if (record.token == token) {
        record.published = service;
        for (IServiceConnection connection : record.connections.values()) {
          if (service != null) {
            connection.connected(record.component(), service, false);
          }
        }
      }
    }
  }

  synchronized boolean unbindService(IServiceConnection connection) throws RemoteException {
    for (ServiceRecord record : new ArrayList<>(services.values())) {
      if (record.connections.remove(connection.asBinder()) != null) {
        if (record.connections.isEmpty() && record.bound) {
          record.bound = false;
          record.published = null;
          Intent intent = new Intent().setComponent(record.component());
          process.scheduleUnbindService(record.token, intent);
        }
        stopIfUnused(record);
        return true;
      }
    }
    return false;
  }

  private ServiceRecord created(Intent intent) throws RemoteException {
    ServiceInfo info = packages.service(intent);
    if (info == null) {
      return null;
    }
    ServiceRecord record = services.get(info.name);
    if (record == null) {
      record = new ServiceRecord(info);
      services.put(info.name, record);
      process.scheduleCreateService(
          record.token, info, CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO, 0);
    }
    return record;
  }

  private ServiceRecord running(Intent intent) {
    ServiceInfo info = packages.service(intent);
    return info == null ? null : services.get(info.name);
  }

  private void stopIfUnused(ServiceRecord record) throws RemoteException {
    if (!record.started && record.connections.isEmpty()) {
      services.remove(record.info.name);
      process.scheduleStopService(record.token);
      if (settle(record)) {
        process.scheduleCrash(
            "Context.startForegroundService() did not then call Service.startForeground(): "
                + record);
      }
    }
  }

  // Broadcasts.

  synchronized Intent registerReceiver(
      IApplicationThread caller,
      String callerPackage,
      IIntentReceiver receiver,
      IntentFilter filter,
      String permission,
      int userId,
      int flags)
      throws RemoteException {
    if (receiver != null) {
      receivers.add(new Registered(receiver, filter));
    }
    Intent found = null;
    for (Intent intent : sticky.values()) {
      if (filter.match(null, intent, false, "retap") >= 0) {
        found = found == null ? new Intent(intent) : found;
        if (receiver != null) {
          process.scheduleRegisteredReceiver(
              receiver, new Intent(intent), -1, null, null, false, true, userId, 0);
        }
      }
    }
    return found;
  }

  synchronized void unregisterReceiver(IIntentReceiver receiver) {
    receivers.removeIf(known -> known.receiver.asBinder() == receiver.asBinder());
  }

  synchronized int broadcastIntent(
      IApplicationThread caller,
      Intent intent,
      String resolvedType,
      IIntentReceiver resultTo,
      int resultCode,
      String resultData,
      Bundle map,
      String[] permissions,
      int appOp,
      Bundle options,
      boolean serialized,
      boolean isSticky,
      int userId)
      throws RemoteException {
    if (isSticky) {
      sticky.put(String.valueOf(intent.getAction()), new Intent(intent));
    }
    broadcast(intent);
    if (resultTo != null) {
      process.scheduleRegisteredReceiver(
          resultTo, intent, resultCode, resultData, map, serialized, isSticky, userId, 0);
    }
    return 0;
  }

  /** Sends a broadcast to all who listen. Returns how many did. */
  synchronized int broadcast(Intent intent) throws RemoteException {
    int heard = 0;
    for (Registered known : new ArrayList<>(receivers)) {
      boolean meant = intent.getComponent() == null && matches(known.filter, intent);
      if (meant) {
        heard++;
        process.scheduleRegisteredReceiver(
            known.receiver, new Intent(intent), -1, null, null, false, false, 0, 0);
      }
    }
    for (PackageParser.Activity receiver : packages.receivers()) {
      ComponentName component = intent.getComponent();
      boolean meant =
          component == null
              ? receiver.intents.stream().anyMatch(filter -> matches(filter, intent))
              : receiver.info.name.equals(component.getClassName());
      if (meant && packages.isEnabled(receiver.info)) {
        heard++;
        ActivityInfo info = new ActivityInfo(receiver.info);
        info.applicationInfo = AppProcess.applicationInfo();
        process.scheduleReceiver(
            new Intent(intent).setComponent(new ComponentName(info.packageName, info.name)),
            info,
            CompatibilityInfo.DEFAULT_COMPATIBILITY_INFO,
            -1,
            null,
            null,
            false,
            0,
            0);
      }
    }
    return heard;
  }

  private static boolean matches(IntentFilter filter, Intent intent) {
    return filter.match(
            intent.getAction(),
            intent.getType(),
            intent.getScheme(),
            intent.getData(),
            intent.getCategories(),
            "retap")
        >= 0;
  }

  synchronized List<ActivityManager.RunningServiceInfo> running(int most) {
    List<ActivityManager.RunningServiceInfo> all = new ArrayList<>();
    for (ServiceRecord record : services.values()) {
      ActivityManager.RunningServiceInfo info = new ActivityManager.RunningServiceInfo();
      info.service = record.component();
      info.process = record.info.processName;
      info.pid = Process.myPid();
      info.uid = Process.myUid();
      info.started = record.started;
      all.add(info);
    }
    return all.subList(0, Math.min(most, all.size()));
  }

  // The rest.

  synchronized ContentProviderHolder getContentProvider(
      IApplicationThread caller, String callingPackage, String name, int userId, boolean stable) {
    return SystemProvider.of(name, permissions);
  }

  int checkPermission(String permission, int pid, int uid) {
    return permissions.check(permission);
  }

  int checkPermissionWithToken(String permission, int pid, int uid, IBinder token) {
    return permissions.check(permission);
  }

  /** For each process; those of others are nobody's business. */
  Debug.MemoryInfo[] getProcessMemoryInfo(int[] pids) {
    Debug.MemoryInfo[] all = new Debug.MemoryInfo[pids.length];
    for (int at = 0; at < pids.length; at++) {
      all[at] = pids[at] == Process.myPid() ? Hardware.process() : new Debug.MemoryInfo();
    }
    return all;
  }

  Configuration getConfiguration() {
    return packages.configuration();
  }

  boolean isUserAMonkey() {
    return false;
  }

  boolean isUserRunning(int userId, int flags) {
    return true;
  }
}
