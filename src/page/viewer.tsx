// Shows a page that an operation made, such as a comparison, in a frame that sees neither this page nor its key.
import { useEffect, useRef } from 'preact/hooks';

interface Props {
  readonly title: string;
  readonly html: string;
  /** What the page in the frame tells, such as the regions of a review. */
  readonly onTold?: ((told: unknown) => void) | undefined;
  readonly onClose: () => void;
}

export function Viewer({ title, html, onTold, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    const listen = ({ source, data }: MessageEvent<unknown>) => {
      const view = frame.current?.contentWindow;
      if (view == null || source !== view) return;
      // The frame has an origin that no other page can have, and is told nothing but this.
      if (data === 'ready') view.postMessage(html, '*');
      else onTold?.(data);
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, [html]);
  return (
    <dialog ref={dialog} class="viewer" aria-label={title} onClose={onClose}>
      <p>
        <strong dir="auto">{title}</strong>{' '}
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </p>
      <iframe ref={frame} src="/page/view" title={title} />
    </dialog>
  );
}
