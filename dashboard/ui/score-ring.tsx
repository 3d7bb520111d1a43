import type { ReactNode } from 'react'

/** Ring gauge for a value from 0 to 100. */
export function ScoreRing({ value, tone, children }: { value: number; tone: string; children: ReactNode }) {
  const around = 2 * Math.PI * 52
  return (
    <div className="ring">
      <svg viewBox="0 0 120 120" aria-hidden="true">
        <circle className="ring-track" cx="60" cy="60" r="52" />
        <circle
          className={`ring-value ring-${tone}`}
          cx="60"
          cy="60"
          r="52"
          strokeDasharray={`${(around * value) / 100} ${around}`}
          transform="rotate(-90 60 60)"
        />
      </svg>
      <div className="ring-text">{children}</div>
    </div>
  )
}
