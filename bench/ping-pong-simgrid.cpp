// Two actors on one host that send each other a message of four bytes in turn, on SimGrid's S4U interface.
//
//   ping-pong-simgrid ROUND_TRIPS [--cfg=...]
//
// Prints how many messages were sent and the wall seconds that the simulation took, the start of the program not counted.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <simgrid/s4u.hpp>

namespace s4u = simgrid::s4u;

static int ball;

static void first(long round_trips)
{
  s4u::Mailbox* there = s4u::Mailbox::by_name("there");
  s4u::Mailbox* back  = s4u::Mailbox::by_name("back");
  for (long i = 0; i < round_trips; i++) {
    there->put(&ball, 4);
    back->get<int>();
  }
}

static void second(long round_trips)
{
  s4u::Mailbox* there = s4u::Mailbox::by_name("there");
  s4u::Mailbox* back  = s4u::Mailbox::by_name("back");
  for (long i = 0; i < round_trips; i++) {
    there->get<int>();
    back->put(&ball, 4);
  }
}

int main(int argc, char** argv)
{
  s4u::Engine engine(&argc, argv);
  const long round_trips = argc > 1 ? std::atol(argv[1]) : 100000;
  s4u::NetZone* zone     = s4u::create_full_zone("zone");
  s4u::Host* host        = zone->create_host("host", 1e9);
  zone->seal();
  s4u::Actor::create("first", host, first, round_trips);
  s4u::Actor::create("second", host, second, round_trips);

  const auto begin  = std::chrono::steady_clock::now();
  engine.run();
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%ld %.6f\n", 2 * round_trips, wall);
  return 0;
}
