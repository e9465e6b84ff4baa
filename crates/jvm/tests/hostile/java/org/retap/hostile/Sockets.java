package org.retap.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Other people's computers, and other programs on this one. */
final class Sockets {
  private static final int MILLIS = 2000;

  private Sockets() {}

  static String network() {
    List<String> reached = new ArrayList<String>();
    for (String address : new String[] {"1.1.1.1", "8.8.8.8", "192.168.0.1", "10.0.0.1", "169.254.169.254"}) {
      for (int port : new int[] {53, 80}) {
        if (reaches(address, port)) {
          reached.add(address + ":" + port);
        }
      }
    }
    try {
      reached.add(InetAddress.getByName("example.org").getHostAddress());
    } catch (IOException unknown) {
      // As it should be.
    }
    return "reached " + reached;
  }

  /** A port of the host, and one of its own. */
  static String loopback(int port) {
    boolean host = reaches("127.0.0.1", port);
    try {
      ServerSocket own = new ServerSocket(0);
      boolean mine = reaches("127.0.0.1", own.getLocalPort());
      own.close();
      return "host " + host + ", own " + mine;
    } catch (IOException refused) {
      return "host " + host + ", own refused";
    }
  }

  private static boolean reaches(String address, int port) {
    try {
      Socket socket = new Socket();
      socket.connect(new InetSocketAddress(address, port), MILLIS);
      socket.close();
      return true;
    } catch (IOException refused) {
      return false;
    }
  }
}
