// The functions of the domain plane's table: each reads its text, asks the plane once, and writes numbers and text.
#pragma once

namespace viewcap::domain_table {

int start_registry();
int finish_registry(int build);
int filter_registry(int registry);
int keep_registry(int registry);
int inspect_registry(int registry);
void free_registry(int registry);

int create_runtime(int registry);
int batch(int runtime, int capability, int phase);
int begin(int runtime, double now);
int resume(int runtime, double now);
int tell(int runtime, int execution, int told, int aborted, double now);
int describe(int runtime, double clock, double now);
int next_candidate(int runtime, int discovery, double clock, double now);
int reported(int runtime, int discovery, int capability, double clock, double now);
int take_events(int runtime);
void approval_decided(int runtime, double now);
void free_runtime(int runtime);

int check_decision(double now);
int approval_status(double expires_at, double now);
int outward_error();
int wire_name();

}  // namespace viewcap::domain_table
