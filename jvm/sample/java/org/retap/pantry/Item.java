package org.retap.pantry;

/** Something in the pantry. Its id is 0 as long as it is not in the database. */
final class Item {
  final long id;
  final String name;
  final String shelf;
  final int amount;

  Item(long id, String name, String shelf, int amount) {
    this.id = id;
    this.name = name;
    this.shelf = shelf;
    this.amount = amount;
  }
}
