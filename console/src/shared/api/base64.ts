const PREFIX = /^data:[^,]*,/;

/** A file's bytes as the calls take them. */
export function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      resolve(String(reader.result).replace(PREFIX, ""));
    });
    reader.addEventListener("error", () => {
      reject(new Error("读不了这个文件"));
    });
    reader.readAsDataURL(file);
  });
}
