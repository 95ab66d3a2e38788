// The functions of the table: each reads its text, asks the core once, and writes the answer as text.
#pragma once

#include <string>

namespace viewcap::table {

double stage(double bytes);
std::string fault();
std::string create_registry(const std::string& text);
void listen(int registry, int mask);
std::string intern_contract(int registry, const std::string& text);
double mount(int registry, int contract, double now, const std::string& text);
int unmount(int registry, int registration, double now);
int update(int registry, int registration, double now, const std::string& text);
int gates(int registry, double now, const std::string& text);
std::string begin(int registry, double now, const std::string& text);
std::string advance(int registry, int invocation, double now, int step, const std::string& text);
std::string settle(int registry, int invocation, double now, int outcome, const std::string& text);
std::string timers(int registry, double now);
std::string project(int registry, double now, const std::string& text);
std::string wire_names(int registry, int view);
std::string snapshot(int registry, double now, const std::string& text);
double version(int registry);
std::string take_outbox(int registry);
std::string dispose(int registry, double now);
std::string compile_schema(const std::string& text);
std::string validate(int schema, const std::string& text);
void free_schema(int schema);
std::string convert(const std::string& name, const std::string& text);
double memory();

}  // namespace viewcap::table
