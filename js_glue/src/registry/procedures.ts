export function boundText(entry: { readonly bind?: unknown }): string {
  return entry.bind === undefined ? "" : "";
}
