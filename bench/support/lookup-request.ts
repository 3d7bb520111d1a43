/** Raw HTTP request of lookup number `n`. */
export function lookupRequest(key: string, n: number): string {
  const body = `{"identifier":"35000${String(n % 1_000_000_000).padStart(9, '0')}"}`
  return `POST /api/imei HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}
