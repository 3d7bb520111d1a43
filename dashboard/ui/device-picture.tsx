/** Uses only the path of the absolute URL, so that it loads from the host of the page. */
export function DevicePicture({ of, large = false }: { of: string; large?: boolean }) {
  const path = URL.canParse(of) ? new URL(of).pathname : of
  return (
    <img
      className={large ? 'picture picture-large' : 'picture'}
      src={path}
      alt=""
      width={96}
      height={96}
      loading="lazy"
    />
  )
}
