package android.os;

/** Android, API 35. */
public class RemoteException extends Exception {}
