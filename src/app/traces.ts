import type { Config } from '../config.ts'
import type { Log } from '../lib/log.ts'
import { openOtlpExporter } from '../lib/otlp-exporter-service.ts'
import { VERSION } from '../lib/version.ts'

/** Exports traces to an OpenTelemetry collector. */
export function openTraceExporter(config: Config, log: Log) {
  const headers = config.otlpHeaders
    .split(',')
    .map((pair) => pair.split('='))
    .filter(([name, value]) => name && value)
  return openOtlpExporter({
    endpoint: config.otlpEndpoint,
    headers: Object.fromEntries(
      headers.map(([name = '', ...value]) => [name.trim(), decodeURIComponent(value.join('='))]),
    ),
    serviceName: 'device-intelligence',
    version: VERSION,
    onError: (cause) => log.warn('traces could not be exported', { cause }),
  })
}
