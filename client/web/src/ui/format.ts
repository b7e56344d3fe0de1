// Numbers as texts for people: lengths, areas, bytes.

// Metres: "1,234 m", "12.3 m".
export function metres(value: number): string {
  const digits = Math.abs(value) < 100 ? 1 : 0;
  return `${value.toLocaleString('en', {maximumFractionDigits: digits, minimumFractionDigits: digits})} m`;
}

// Heights of a camera: as metres, and from orbit "12,345 km".
export function height(value: number): string {
  return value < 1e6 ? metres(value) : distance(value);
}

// Lengths: "850 m", "12.4 km".
export function distance(value: number): string {
  if (Math.abs(value) < 1000) return `${value.toFixed(0)} m`;
  return `${(value / 1000).toLocaleString('en', {maximumFractionDigits: value < 1e5 ? 1 : 0})} km`;
}

export function bytes(value: number): string {
  if (value < 1e6) return `${(value / 1e3).toFixed(0)} kB`;
  return `${(value / 1e6).toFixed(1)} MB`;
}

export function area(km2: number): string {
  if (km2 < 0.01) return `${Math.round(km2 * 1e6).toLocaleString('en')} m²`;
  return `${km2.toLocaleString('en', {maximumSignificantDigits: 3})} km²`;
}
