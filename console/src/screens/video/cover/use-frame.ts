import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { CallError } from "@/shared/api/call.ts";

/** A picture that can be shown, and its width by height. */
export interface Shown {
  readonly address: string;
  readonly ratio: number;
}

/** A slider that moves asks for no picture until it rests. */
const RESTING_MS = 250;

/** What a film shows at a moment, in milliseconds; nothing is asked where it is null. */
export function useFrame(id: number, at: number | null) {
  const resting = useResting(at);
  const frame = useQuery({
    queryKey: ["frame", id, resting],
    queryFn: ({ signal }) => fetchPicture(`/api/videos/${id}/frame?at=${resting ?? 0}`, signal),
    enabled: resting !== null,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  return { ...frame, isBehind: at !== resting || frame.isFetching };
}

/** A chosen file as a picture; null until it is read, and where it is none. */
export function useFilePicture(file: File | null) {
  return useQuery({
    queryKey: ["file-picture", file?.name, file?.size, file?.lastModified],
    queryFn: () => (file ? measured(file) : null),
    enabled: file !== null,
    gcTime: 0,
    retry: false,
  });
}

async function fetchPicture(address: string, signal: AbortSignal): Promise<Shown> {
  const answer = await fetch(address, { signal });
  if (!answer.ok) {
    const said = (await answer.json().catch(() => null)) as { msg?: string } | null;
    throw new CallError(said?.msg ?? "连不上控制台，请检查网络或隧道", answer.status);
  }
  return measured(await answer.blob());
}

/** The bytes go into the address itself: it ends with the data that hold it. */
async function measured(content: Blob): Promise<Shown> {
  const address = await dataAddress(content);
  const picture = new Image();
  picture.src = address;
  try {
    await picture.decode();
  } catch {
    throw new CallError("图片无法读取：文件已损坏，或不是 JPEG、PNG、WebP", 0);
  }
  return { address, ratio: picture.naturalWidth / picture.naturalHeight };
}

function dataAddress(content: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      resolve(String(reader.result));
    });
    reader.addEventListener("error", () => {
      reject(new CallError("读不了这个文件", 0));
    });
    reader.readAsDataURL(content);
  });
}

function useResting(value: number | null): number | null {
  const [resting, setResting] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setResting(value);
    }, RESTING_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [value]);
  return resting;
}
