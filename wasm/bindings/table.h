// The functions of the table: each reads its text, asks the core once, and writes the answer as text.
#pragma once

#include <string>

namespace viewcap::table {

double area();
double stage(double bytes);
std::string text();
std::string fault();
std::string create_registry();
void listen(int registry, int mask);
std::string intern_contract(int registry);
double mount(int registry, int contract, double now);
int unmount(int registry, int registration, double now);
int update(int registry, int registration, double now);
int gates(int registry, double now);
int begin(int registry, double now);
int advance(int registry, int invocation, double now, int step);
int settle(int registry, int invocation, double now, int outcome);
int timers(int registry, double now);
int project(int registry, double now);
std::string wire_names(int registry, int view);
std::string snapshot(int registry, double now);
double version(int registry);
int resolve_confirmation(int registry, double now);
std::string confirmations(int registry, double now);
void known_paths(int registry);
int rebind(int registry, int registration, int contract, double now);
std::string take_outbox(int registry);
std::string dispose(int registry, double now);
std::string compile_schema();
int validate(int schema);
void free_schema(int schema);
std::string convert(const std::string& name);
double memory();

}  // namespace viewcap::table
