/** The small picture in a browser's tab, as part of the page: nothing more is loaded for it. */
export const FAVICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='3' y='1' width='10' height='14' rx='2.5' fill='%230f8577'/%3E%3C/svg%3E"
