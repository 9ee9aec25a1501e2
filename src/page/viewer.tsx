// Shows an HTML result, such as a comparison, in a sandboxed frame that can access neither this page nor its key.
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './controls.tsx';

interface Props {
  readonly title: string;
  readonly html: string;
  /** Receives messages of the frame, such as the regions of a review. */
  readonly onMessage?: ((message: unknown) => void) | undefined;
  readonly onClose: () => void;
}

export function Viewer({ title, html, onMessage, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    const listen = ({ source, data }: MessageEvent<unknown>) => {
      const view = frame.current?.contentWindow;
      if (view == null || source !== view) return;
      // The frame has an opaque origin and gets only this HTML.
      if (data === 'ready') view.postMessage(html, '*');
      else onMessage?.(data);
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, [html]);
  return (
    <dialog ref={dialog} class="viewer" aria-label={title} onClose={onClose}>
      <p>
        <strong dir="auto">{title}</strong> <Button text="Close" onClick={() => dialog.current?.close()} />
      </p>
      <iframe ref={frame} src="/page/view" title={title} />
    </dialog>
  );
}
