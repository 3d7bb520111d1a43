import type { Config } from '../config.ts'
import type { Log } from '../lib/log.ts'
import { openOtlpExporter } from '../lib/otlp-exporter-service.ts'
import { VERSION } from '../lib/version.ts'

/** Exports traces to an OpenTelemetry collector. */
export function openTraceExporter(config: Config, log: Log) {
  return openOtlpExporter({
    endpoint: config.otlpEndpoint,
    headers: config.otlpHeaders,
    serviceName: 'device-intelligence',
    version: VERSION,
    onError: (cause) => log.warn('traces could not be exported', { cause }),
  })
}
