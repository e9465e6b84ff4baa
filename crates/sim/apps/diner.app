# A food delivery app [ND3MIN, section 2].
#
# The panel at the bottom of the home screen leads to the login. On some fresh starts a dialog asks for the
# address instead, and calls up the keyboard. A touch beside the dialog takes it away, but not the keyboard:
# the address bar of the home screen has the focus by then, and the panel stands above the keyboard.
app diner "Diner"
package org.retap.diner

# How often the dialog appears at launch.
knob dialog = 0.5 probability

kept basket list

activity HomeActivity
  var asked bool
  var address text = ""
  var zip text = ""

  on create
    chance dialog
      set asked = true
      after 500ms
        focus address_bar
      dialog location

  screen home
    row
      button "☰" id=navigation desc="Navigation"
        on tap
          menu main
      label "Diner" id=brand
      button "Basket" id=basket
        on tap
          open BasketActivity
    field address id=address_bar hint="Deliver to" if=asked
    row
      button "Pizza" id=pizza height=200
        on tap
          open RestaurantActivity
      button "Sushi" id=sushi height=200
        on tap
          open RestaurantActivity
      button "Thai" id=thai height=200
        on tap
          open RestaurantActivity
    row
      button "Burgers" id=burgers height=200
        on tap
          open RestaurantActivity
      button "Salads" id=salads height=200
        on tap
          open RestaurantActivity
      button "Offers" id=offers height=200
        on tap
          open OffersActivity
    image "Soup of the day" id=banner height=440
    button "Log in for recommendations" id=recommended at=24,1440,1056,1896 if=not asked
      on tap
        open LoginActivity
    button "Log in for recommendations" id=recommended at=24,900,1056,1140 if=asked
      on tap
        open LoginActivity

  dialog location "Where are you?"
    label "We deliver to your door."
    field address id=address hint="Street and number" focus
    field zip id=zip hint="Zip code"
    row
      button "Later" id=later
        on tap
          close
      button "OK" id=ok enabled=len(address) > 0 and len(zip) > 0
        on tap
          close

  menu main
    item "Log in" id=menu_login
      on tap
        open LoginActivity
    item "Orders" id=menu_orders
      on tap
        open OrdersActivity
    item "Help" id=menu_help
      on tap
        open HelpActivity

activity RestaurantActivity
  var dishes list = ["Soup", "Salad", "Noodles", "Curry", "Ice cream"]

  screen dishes "Restaurants near you"
    list dishes id=dishes
      on tap
        push basket item
      label "{item}" height=160

activity OffersActivity
  screen offers "Offers"
    image "Two for one" height=600

activity BasketActivity
  screen basket "Basket ({len(basket)})"
    list basket id=dishes
    button "Empty" id=empty enabled=len(basket) > 0
      on tap
        clear basket

activity OrdersActivity
  screen orders "Orders"
    label "No orders yet"

activity HelpActivity
  screen help "Help"
    label "Call us, or ask your neighbour."

activity LoginActivity
  var mail text = ""
  var secret text = ""

  screen login "Log in"
    column height=360
    field mail id=mail hint="E-mail"
    field secret id=secret hint="Password" password
    button "Log in" id=login enabled=len(mail) > 0 and len(secret) > 0
      on tap
        set secret = ""
    column height=500
    button "Create account" id=create
      on tap
        open CreateAccountActivity

activity CreateAccountActivity
  var name text = ""

  screen account "New account"
    field name id=name hint="Name"
    button "Next" id=next enabled=len(name) > 0
      on tap
        finish
