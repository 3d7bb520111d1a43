/** Line icons on a 20 × 20 grid. */
const PATHS = {
  home: 'M3 9.5 10 3.5l7 6M5 8.5V16h4v-4h2v4h4V8.5',
  phone: 'M6.5 2.5h7a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1ZM9 15h2',
  shield: 'M10 2.5 16 5v4.5c0 4-2.600 6.500-6 8-3.400-1.500-6-4-6-8V5Zm-2.500 7.500 2 2 3.500-4',
  list: 'M7 5h10M7 10h10M7 15h10M3.500 5h.01M3.500 10h.01M3.500 15h.01',
  key: 'M12.500 11.500a4 4 0 1 0-3.500-2L3 15.500V17h3v-2h2v-2h1.500ZM13 7h.01',
  chart: 'M3 17h14M5.500 14V9M10 14V4M14.500 14v-3',
  bell: 'M5 13V9a5 5 0 0 1 10 0v4l1.500 2h-13ZM8.500 17.500h3',
  book: 'M10 5c-1.500-1.200-3.800-1.500-6.500-1.500V15c2.700 0 5 .3 6.500 1.500 1.500-1.200 3.800-1.500 6.500-1.500V3.500C13.800 3.500 11.500 3.800 10 5Zm0 0v11.500',
  people:
    'M7.500 10a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-5 7c0-3 2-5 5-5s5 2 5 5M13 4.500a3 3 0 0 1 0 5M14.500 12.500c2 .5 3 2.200 3 4.500',
  rows: 'M3 4.500h14v11H3ZM3 8.200h14M3 11.800h14M8 8.200v7.300',
  scale: 'M10 3.500v13M6 16.500h8M4 6h12M4 6l-2 5h4ZM16 6l-2 5h4Z',
  tag: 'M10.500 3H17v6.500l-7.500 7.500L3 10.500ZM13.500 6.500h.01',
  tray: 'M10 3v8m-3.500-3.500L10 11l3.500-3.500M3.500 11v5.500h13V11',
  sliders: 'M4 6h5m4 0h3M9 4v4M4 14h2m4 0h6M6 12v4',
  clock: 'M10 17.500a7.500 7.500 0 1 0 0-15 7.500 7.500 0 0 0 0 15ZM10 6v4l3 2',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
