// The functions of the table: each reads its text, asks the core once, and writes the answer as text.
#pragma once

#include <string>

namespace viewcap::table {

int create_registry();
void listen(int registry, int mask);
int intern_contract(int registry);
double mount(int registry, int contract, double now);
int unmount(int registry, int registration, double now);
int update(int registry, int registration, double now);
int gates(int registry, double now);
int begin(int registry, double now);
int advance(int registry, int invocation, double now, int step);
int settle(int registry, int invocation, double now, int outcome);
int timers(int registry, double now);
int project(int registry, double now);
int wire_names(int registry, int view);
int snapshot(int registry, double now);
double version(int registry);
int resolve_confirmation(int registry, double now);
int confirmations(int registry, double now);
void known_paths(int registry);
int rebind(int registry, int registration, int contract, double now);
int take_outbox(int registry);
int dispose(int registry, double now);
int convert(int conversion);

}  // namespace viewcap::table
